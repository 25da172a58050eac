// Opens a RocksDB database in the directory given, writes, flushes, reads back and counts: the
// proof that a linked RocksDB works.
#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  rocksdb::Options options;
  options.create_if_missing = true;
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::Status status = rocksdb::DB::Open(options, argv[1], &db);
  for (int i = 0; status.ok() && i < 1000; i++)
    status = db->Put(rocksdb::WriteOptions(), "key" + std::to_string(i), std::to_string(i * i));
  if (status.ok())
    status = db->Flush(rocksdb::FlushOptions());
  std::string value;
  if (status.ok())
    status = db->Get(rocksdb::ReadOptions(), "key31", &value);
  std::unique_ptr<rocksdb::Iterator> it(db ? db->NewIterator(rocksdb::ReadOptions()) : nullptr);
  int count = 0;
  if (it)
    for (it->SeekToFirst(); it->Valid(); it->Next())
      count++;
  if (!status.ok() || value != "961" || count != 1000) {
    std::printf("failed: %s, value %s, count %d\n", status.ToString().c_str(), value.c_str(), count);
    return 1;
  }
  std::printf("read back %d entries\n", count);
  return 0;
}
