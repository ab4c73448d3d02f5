//! Services: one provider each, and none that is missing.

use dsh_product_tests::Scratch;

#[test]
fn row_01_two_providers_of_a_service_are_refused() {
    let scratch = Scratch::new();
    scratch.edit_minimal("  - insert:\n      - {id: second, plugin: fs-local}\n");
    scratch.refuse_minimal().assert_lines(&[
        "error[DSH0302]: more than one row provides the service `fs`",
        "|                              ^^^^^^^^ row `second` provides `fs`",
        "|               -------- row `fs-local` provides `fs` too",
    ]);
}

#[test]
fn row_01_a_service_without_provider_is_refused() {
    let scratch = Scratch::new();
    scratch.edit_minimal("  - {id: fs-local, disabled: true}\n");
    scratch.refuse_minimal().assert_lines(&[
        "error[DSH0301]: no row provides the service `fs`",
        "|               ^^^^^^^^^^^^^^^^^^^^^^^ row `str-replace-editor` needs `fs`",
    ]);
}
