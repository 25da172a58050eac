"""A worker for BuildGrid: asks for leases (Remote Workers API), and executes actions of the Remote
Execution API, each in a directory of its own. Arguments: the address of the server, the worker's
name, and a directory. Run with the Python that BuildGrid is installed for."""

import os
import shutil
import subprocess
import sys

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as api_grpc
from buildgrid._protos.google.bytestream import bytestream_pb2, bytestream_pb2_grpc
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import worker_pb2
from hashlib import sha256
from uuid import uuid4

# How long the server may wait for work, in seconds: a worker that says nothing for longer is gone.
POLL = 3
SMALL = 1 << 20

address, name, directory = sys.argv[1:]
channel = grpc.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)])
content = api_grpc.ContentAddressableStorageStub(channel)
streams = bytestream_pb2_grpc.ByteStreamStub(channel)
bots = bots_pb2_grpc.BotsStub(channel)


def read(digest):
    if not digest.size_bytes:
        return b""
    if digest.size_bytes > SMALL:
        path = f"blobs/{digest.hash}/{digest.size_bytes}"
        pieces = streams.Read(bytestream_pb2.ReadRequest(resource_name=path))
        return b"".join(piece.data for piece in pieces)
    answer = content.BatchReadBlobs(api.BatchReadBlobsRequest(digests=[digest])).responses[0]
    assert answer.status.code == 0, answer.status.message
    return answer.data


def write(data):
    digest = api.Digest(hash=sha256(data).hexdigest(), size_bytes=len(data))
    if len(data) > SMALL:
        path = f"uploads/{uuid4()}/blobs/{digest.hash}/{len(data)}"

        def pieces():
            for at in range(0, len(data), SMALL):
                piece = data[at : at + SMALL]
                is_last = at + len(piece) == len(data)
                yield bytestream_pb2.WriteRequest(
                    resource_name=path, write_offset=at, data=piece, finish_write=is_last
                )

        streams.Write(pieces())
    else:
        request = api.BatchUpdateBlobsRequest()
        request.requests.add(digest=digest, data=data)
        content.BatchUpdateBlobs(request)
    return digest


def lay_out(digest, path):
    os.makedirs(path, exist_ok=True)
    tree = api.Directory.FromString(read(digest))
    names = [node.name for node in tree.files]
    assert names == sorted(names), "a directory that is not in order"
    for node in tree.files:
        with open(os.path.join(path, node.name), "wb") as file:
            file.write(read(node.digest))
    for node in tree.directories:
        lay_out(node.digest, os.path.join(path, node.name))


def execute(lease):
    action = api.Action()
    if not lease.payload.Unpack(action):
        digest = api.Digest()
        lease.payload.Unpack(digest)
        action = api.Action.FromString(read(digest))
    command = api.Command.FromString(read(action.command_digest))
    root = os.path.join(directory, lease.id)
    shutil.rmtree(root, ignore_errors=True)
    lay_out(action.input_root_digest, root)
    here = os.path.join(root, command.working_directory)
    for output in command.output_paths:
        os.makedirs(os.path.dirname(os.path.join(here, output)), exist_ok=True)
    environment = {variable.name: variable.value for variable in command.environment_variables}
    ended = subprocess.run(command.arguments, cwd=here, env=environment, capture_output=True)
    result = api.ActionResult(exit_code=ended.returncode, stderr_raw=ended.stderr)
    for output in command.output_paths:
        path = os.path.join(here, output)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                result.output_files.add(path=output, digest=write(file.read()))
    shutil.rmtree(root)
    return result


def main():
    os.makedirs(directory, exist_ok=True)
    worker = worker_pb2.Worker(devices=[worker_pb2.Device(handle=name)])
    session = bots_pb2.BotSession(bot_id=name, status=bots_pb2.OK, worker=worker)
    session = bots.CreateBotSession(
        bots_pb2.CreateBotSessionRequest(parent="", bot_session=session), timeout=POLL
    )
    print("ready", flush=True)
    while True:
        for lease in session.leases:
            if lease.state not in (bots_pb2.PENDING, bots_pb2.ACTIVE):
                continue
            # The check waits for this line before it kills a worker.
            print("works", flush=True)
            lease.result.Pack(execute(lease))
            lease.status.code = 0
            lease.state = bots_pb2.COMPLETED
        request = bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session)
        session = bots.UpdateBotSession(request, timeout=POLL)


main()
