//! A file that was skimmed declares what it declares when it is read whole.

use dsh_declare::model::Declaration;
use dsh_declare::skim::skim;
use dsh_declare::source::declarations;
use syn::File;

/// Digests and problems, without the order of problems, which the two ways to read may find in another.
fn described(file: File, more: Vec<syn::Error>) -> (Vec<u64>, Vec<String>) {
    let (found, errors) = declarations(file);
    let digests = found.iter().map(|declaration| match declaration {
        Declaration::Service(decl) => decl.digest,
        Declaration::Event(decl) => decl.digest,
        Declaration::Plugin(decl) => decl.digest,
        Declaration::Config(decl) => decl.digest,
        Declaration::Inject(decl) => decl.digest,
        Declaration::ToolArgs(decl) => decl.digest,
        Declaration::SessionEvent(decl) => decl.digest,
    });
    let mut errors: Vec<String> = errors.iter().chain(&more).map(ToString::to_string).collect();
    errors.sort();
    (digests.collect(), errors)
}

#[track_caller]
fn same(source: &str) {
    let skimmed = skim(source).expect("the source is Rust");
    let whole = described(syn::parse_file(source).expect("the source is Rust"), Vec::new());
    assert_eq!(described(skimmed.file, skimmed.in_bodies), whole, "{source}");
}

/// A plugin with a member before its function.
fn with(member: &str) -> String {
    format!("struct P; #[plugin] impl P {{ {member} pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {{ body(1); }} }}")
}

#[test]
fn members_of_every_form() {
    for member in [
        "fn a() -> Foo<{ 1 + 1 }> { 2 }",
        "fn a<const N: usize>(b: [u8; { 3 }]) -> impl Iterator<Item = u8> where Self: Sized { b }",
        "const A: fn() -> u8 = if X { b } else { c };",
        "const A: Foo = Foo { a: 1 };",
        "const fn a() { 1 } const unsafe fn b() {} unsafe extern \"C\" fn c() { 2 } async fn d() { 3 }",
        "type A = fn(u8) -> u8; fn e() {}",
        "fn a(f: fn(&str) -> u8, g: impl Fn() -> u8) -> (u8, u8) { match f { _ => { fn inner() {} 1 } } }",
    ] {
        same(&with(member));
    }
}

#[test]
fn items_of_every_form() {
    same("#[service(key = \"a\")] pub trait A: Send + Sync { fn a(&self) -> u8 { 1 } async fn b(&self) { c() } fn d(&self); }");
    same("#[config] pub struct C { pub a: u64 } static S: fn() = f; #[config] pub enum E { A, B } mod m { #[config] pub struct D {} }");
    same("macro_rules! m { () => { fn a() { #[config] struct X; } #[config] struct Y; } }");
}

#[test]
fn declarations_in_bodies_are_problems_in_both() {
    same("fn a() { #[config] pub struct C {} }");
    same("struct S<const N: usize> { a: u8 } fn a() { #[derive(Clone, Inject)] pub struct C {} }");
    assert!(skim("fn a() { this is no Rust }").is_ok(), "what stands in bodies is for rustc");
    assert!(skim("fn a() { ").is_err() && skim("struct { }").is_err());
}
