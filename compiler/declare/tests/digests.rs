//! Which changes of a declaration change its digest.

use dsh_declare::digest::{canonical_text, combine, fnv1a};
use dsh_declare::model::Declaration;
use dsh_declare::source::declarations;

fn digest(source: &str) -> u64 {
    let file = syn::parse_str(source).expect("the fixture is Rust");
    let (found, errors) = declarations(file);
    assert!(errors.is_empty(), "{errors:?}");
    match found.as_slice() {
        [Declaration::Service(decl)] => decl.digest,
        [Declaration::Event(decl)] => decl.digest,
        [Declaration::Plugin(decl)] => decl.digest,
        [Declaration::Config(decl)] => decl.digest,
        [Declaration::Inject(decl)] => decl.digest,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn same(one: &str, other: &str) {
    assert_eq!(digest(one), digest(other));
}

#[track_caller]
fn differ(one: &str, other: &str) {
    assert_ne!(digest(one), digest(other));
}

const PLUGIN: &str = "#[plugin] impl A { async fn mount(cx: &C) -> R { one() } fn f(&self) { 1 } }";

#[test]
fn bodies_spacing_comments_and_other_attributes_do_not_count() {
    same(PLUGIN, "#[plugin]\nimpl A {\n    // A comment.\n    async fn mount(cx: &C) -> R { two() }\n    fn f(&self) { 2 }\n}");
    same("#[service(key = \"a\")] trait A { fn f() { 1 } }", "#[service(key = \"a\")] #[allow(x)] trait A { fn f() { 2 } }");
    same("#[derive(Inject)] pub struct A {}", "#[derive(Clone, Inject)] pub struct A {}");
    same("#[derive(Clone)] #[config] pub struct A {}", "#[config] #[derive(Clone)] pub struct A {}");
    same("#[config] pub struct A {}", "#[dsh_runtime::config] pub struct A {}");
    same("/// a\n#[config] pub struct A {}", "#[config]\n#[doc = r\" a\"] pub struct A {}");
    same("/** a\r\nb */ #[config] pub struct A {}", "/** a\nb */ #[config] pub struct A {}");
    same("#[service(key = \"a\")] struct A;", "#[service(key = r#\"a\"#)] struct A;");
}

#[test]
fn arguments_docs_signatures_fields_and_defaults_count() {
    differ(PLUGIN, &PLUGIN.replace("fn f(&self)", "fn f(&mut self)"));
    differ(PLUGIN, &PLUGIN.replace("fn f", "/// Doc.\nfn f"));
    differ(PLUGIN, &PLUGIN.replace("#[plugin]", "#[plugin(platforms(\"linux\"))]"));
    differ("#[service(key = \"a\")] trait A {}", "#[service(key = \"b\")] trait A {}");
    differ("#[service(key = \"a\")] trait A { fn f(); }", "#[service(key = \"a\")] trait A { fn f() {} }");
    differ("#[config] pub struct A { pub a: u64 }", "#[config] pub struct A { #[config(default = 1)] pub a: u64 }");
    differ("#[config] pub struct A {}", "/// Doc.\n#[config] pub struct A {}");
    differ("#[config] pub struct A {}", "#[derive(Inject)] pub struct A {}");
}

#[test]
fn the_canonical_text_joins_tokens_by_one_space() {
    let tokens = "fn f(a : &'a  str)->Vec<[u8;4]>{x=\"a\\\"b\" ,'c',b\"d\",1.0}".parse().expect("tokens");
    assert_eq!(canonical_text(tokens), "fn f ( a : & ' a str ) - > Vec < [ u8 ; 4 ] > { x = \"a\\\"b\" , 'c' , b\"d\" , 1.0 }");
}

#[test]
fn the_hash_is_fnv_1a_and_joining_counts_order() {
    // Test vectors of the published algorithm.
    assert_eq!([fnv1a(b""), fnv1a(b"a"), fnv1a(b"foobar")], [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]);
    assert_eq!(combine(&[0x6f_6f66]), fnv1a(b"foo\0\0\0\0\0"));
    assert_ne!(combine(&[1, 2]), combine(&[2, 1]));
}
