//! The size of the binary.

use std::fs;
use std::io;

use crate::report::Part;
use crate::setting::Setting;

/// Looks at the file.
#[allow(clippy::cast_precision_loss)]
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let mut part = Part { name: "size", about: "The files that are started.", columns: vec!["MB"], ..Part::default() };
    let megabytes = |path| fs::metadata(path).map(|file| file.len() as f64 / 1e6);
    let product = megabytes(&setting.product)?;
    part.row("`dsh-minimal`", vec![product]);
    if let Some(reference) = &setting.reference {
        part.row("reference", vec![megabytes(reference)?]);
    }
    part.budget("size of `dsh-minimal` with `--ship`", product, 8.0, "MB");
    Ok(part)
}
