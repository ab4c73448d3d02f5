//! Names and numbers of signals.

use dsh_subprocess::Signal;

#[test]
fn names_and_numbers_agree() {
    for (name, signal, number) in [
        ("SIGHUP", Signal::HANGUP, 1),
        ("SIGINT", Signal::INTERRUPT, 2),
        ("SIGKILL", Signal::KILL, 9),
        ("SIGTERM", Signal::TERMINATE, 15),
        ("SIGCONT", Signal::CONTINUE, 18),
        ("SIGTSTP", Signal::STOP_KEY, 20),
    ] {
        assert_eq!((signal.to_string().as_str(), signal.number()), (name, number));
        assert_eq!(Signal::from_name(name), Some(signal));
    }
    assert_eq!(Signal::from_name("SIGSYS").map(Signal::number), Some(31));
    assert_eq!(Signal::from_name("INT"), None);
    assert_eq!(Signal::from_number(40).to_string(), "signal 40");
}
