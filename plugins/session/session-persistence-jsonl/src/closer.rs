//! The lines of the events that crash repair adds; they have their members in an order of their own.

use dsh_json::{JsonError, to_text};
use dsh_session::{SessionEvent, SurfaceOp};
use serde::Serialize;

/// The lines, each with its end.
pub(crate) fn lines(closers: &[SessionEvent]) -> Result<Vec<u8>, JsonError> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Closer<'a> {
        r#type: &'a str,
        seq: u64,
        time: dsh_runtime::Timestamp,
        data: &'a dsh_json::RawValue,
        #[serde(skip_serializing_if = "Option::is_none")]
        surface_op: Option<SurfaceOp>,
        #[serde(skip_serializing_if = "Option::is_none")]
        source_event_seqs: Option<&'a [u64]>,
    }
    let mut out = Vec::new();
    for event in closers {
        let line = Closer {
            r#type: &event.kind,
            seq: event.seq,
            time: event.time,
            data: &event.data,
            surface_op: event.surface_op,
            source_event_seqs: event.source_event_seqs.as_deref(),
        };
        out.extend_from_slice(to_text(&line)?.as_bytes());
        out.push(b'\n');
    }
    Ok(out)
}
