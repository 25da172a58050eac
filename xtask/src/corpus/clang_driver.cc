// A C++ compiler as one program: clang's driver and its cc1 job in one process, linked from the
// static libraries that distributions ship. It exists to be linked: with every target and every
// front-end action in it, it has the size and the shape of a Release build of clang.
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/FrontendTool/Utils.h"
#include "clang/CodeGen/ObjectFilePCHContainerOperations.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace clang;

// One `-cc1` job: parse the front end's arguments, run the action that they ask for.
static int compile(llvm::ArrayRef<const char *> Args, const char *Argv0, void *Anchor) {
  auto Clang = std::make_unique<CompilerInstance>();
  auto PCH = Clang->getPCHContainerOperations();
  PCH->registerWriter(std::make_unique<ObjectFilePCHContainerWriter>());
  PCH->registerReader(std::make_unique<ObjectFilePCHContainerReader>());

  IntrusiveRefCntPtr<DiagnosticIDs> IDs(new DiagnosticIDs());
  IntrusiveRefCntPtr<DiagnosticOptions> Opts(new DiagnosticOptions());
  auto *Buffer = new TextDiagnosticBuffer;
  DiagnosticsEngine Early(IDs, &*Opts, Buffer);
  bool Ok = CompilerInvocation::CreateFromArgs(Clang->getInvocation(), Args, Early, Argv0);
  if (Clang->getHeaderSearchOpts().ResourceDir.empty())
    Clang->getHeaderSearchOpts().ResourceDir = CompilerInvocation::GetResourcesPath(Argv0, Anchor);

  Clang->createDiagnostics();
  if (!Clang->hasDiagnostics())
    return 1;
  Buffer->FlushDiagnostics(Clang->getDiagnostics());
  if (!Ok)
    return 1;
  return !ExecuteCompilerInvocation(Clang.get());
}

static int runCc1(llvm::SmallVectorImpl<const char *> &Argv) {
  return compile(llvm::ArrayRef(Argv).slice(2), Argv[0], reinterpret_cast<void *>(&runCc1));
}

int main(int Argc, char **Argv) {
  llvm::InitLLVM X(Argc, Argv);
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();

  llvm::SmallVector<const char *, 256> Args(Argv, Argv + Argc);
  if (Argc > 1 && llvm::StringRef(Argv[1]) == "-cc1")
    return runCc1(Args);

  std::string Path = llvm::sys::fs::getMainExecutable(Argv[0], reinterpret_cast<void *>(&runCc1));
  IntrusiveRefCntPtr<DiagnosticOptions> Opts(new DiagnosticOptions());
  auto *Printer = new TextDiagnosticPrinter(llvm::errs(), &*Opts);
  IntrusiveRefCntPtr<DiagnosticIDs> IDs(new DiagnosticIDs());
  DiagnosticsEngine Diags(IDs, &*Opts, Printer);

  driver::Driver Driver(Path, llvm::sys::getDefaultTargetTriple(), Diags);
  Driver.setTitle("clang built for linking");
  Driver.CC1Main = runCc1;
  std::unique_ptr<driver::Compilation> Jobs(Driver.BuildCompilation(Args));
  if (!Jobs || Jobs->containsError())
    return 1;
  llvm::SmallVector<std::pair<int, const driver::Command *>, 4> Failing;
  int Status = Driver.ExecuteCompilation(*Jobs, Failing);
  for (auto &F : Failing)
    if (F.first)
      return 1;
  return Status;
}
