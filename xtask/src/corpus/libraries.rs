//! A C++ program with debug information against the largest shared libraries that a distribution
//! has: libclang-cpp.so and libLLVM.so (packages `libclang-N-dev`, `llvm-N-dev`), 300,000 names
//! of which it uses a few thousand.
//!
//! The program is generated: units that count nodes of one kind each in a syntax tree, through a
//! template that clang's headers instantiate anew in every unit. The proof is the counts.

use super::capture::{self, RESPONSE_FILE};
use super::{Expectation, PROGRAM, Workload, clang, tools};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Kinds of syntax nodes that units count, each in code with one node of every kind.
const KINDS: [&str; 12] = [
    "EnumDecl",
    "FieldDecl",
    "ParmVarDecl",
    "ReturnStmt",
    "CallExpr",
    "IfStmt",
    "ForStmt",
    "StringLiteral",
    "TypedefDecl",
    "NamespaceDecl",
    "CXXThrowExpr",
    "ConditionalOperator",
];

const UNIT: &str = r#"#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
namespace {
struct Visitor : clang::RecursiveASTVisitor<Visitor> {
  int count = 0;
  bool VisitKIND(clang::KIND *) { ++count; return true; }
};
struct Consumer : clang::ASTConsumer {
  int &result;
  explicit Consumer(int &result) : result(result) {}
  void HandleTranslationUnit(clang::ASTContext &context) override {
    Visitor visitor;
    visitor.TraverseDecl(context.getTranslationUnitDecl());
    result = visitor.count;
  }
};
struct Action : clang::ASTFrontendAction {
  int &result;
  explicit Action(int &result) : result(result) {}
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Consumer>(result);
  }
};
} // namespace
int count_KIND(const char *code) {
  int result = -1;
  clang::tooling::runToolOnCode(std::make_unique<Action>(result), code);
  return result;
}
"#;

const CODE: &str = "namespace n { enum E { a }; typedef int T; struct S { int field; }; int f(int \
    p)     { for (;;) if (p) return f(1 ? 2 : 3); throw \"text\"; } }";

/// `against-libraries`.
pub fn workloads() -> Vec<Workload> {
    vec![Workload {
        name: "against-libraries",
        about: "a C++ debug program against libclang-cpp.so and libLLVM.so",
        directory: "against-libraries",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: true,
        expects: Expectation { debug: true, build_id: false, ..PROGRAM },
        make,
        prove: counts_nodes,
    }]
}

fn make(dir: &Path) -> Result<(), String> {
    let llvm = clang::llvm()?;
    let include = format!("-I{}", llvm.join("include").display());
    let mut main = String::from("#include <cstdio>\n");
    let mut body = String::new();
    let mut commands = Vec::new();
    let mut objects = vec!["main.o".to_owned()];
    for kind in KINDS {
        let _ = writeln!(main, "int count_{kind}(const char *);");
        let _ = writeln!(body, "  sum += count_{kind}(code);");
        let source = format!("count_{kind}.cc");
        std::fs::write(dir.join(&source), UNIT.replace("KIND", kind))
            .map_err(|e| format!("{source}: {e}"))?;
        let mut compile = Command::new(tools::cxx()?);
        compile.current_dir(dir).args(["-g", "-O0", "-fPIE", "-std=c++17", "-w", &include]);
        compile.args(["-c", &source]);
        commands.push(compile);
        objects.push(format!("count_{kind}.o"));
    }
    tools::run_all(commands)?;
    let code = CODE.replace('"', "\\\"");
    let _ = write!(
        main,
        "int main() {{\n  const char *code = \"{code}\";\n  int sum = 0;\n{body}  \
         std::printf(\"sum %d\\n\", sum);\n}}\n"
    );
    tools::compile(&tools::cxx()?, dir, "main.cc", &main, &["-g", "-O0", "-fPIE"])?;
    let libraries = llvm.join("lib");
    let mut driver = Command::new(tools::cxx()?);
    driver.arg("-pie").args(objects).arg(format!("-L{}", libraries.display()));
    driver.arg(format!("-Wl,-rpath,{}", libraries.display())).args(["-lclang-cpp", "-lLLVM"]);
    capture::capture(dir, &mut driver)
}

fn counts_nodes(output: &Path, _: &Path) -> Result<(), String> {
    match tools::run(&mut Command::new(output))?.trim() {
        "sum 12" => Ok(()),
        other => Err(format!("it printed '{other}' instead of 'sum 12'")),
    }
}
