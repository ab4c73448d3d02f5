//! A secret has no printable form: `reveal` is called where it is sent, and nowhere else.

use dsh_runtime::SecretValue;

fn print(key: &SecretValue) -> String {
    println!("the key is {key}");
    key.to_string()
}

fn main() {}
