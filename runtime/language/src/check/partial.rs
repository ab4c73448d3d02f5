//! The names of expressions where the machine is not known and values of some of its variables are. An expression that asks for nothing
//! else gives the same wherever it is evaluated.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dsh_expression::{CONSTANT_NAME, Fixed, MACHINE_NAMES};
use minijinja::value::{Enumerator, Object, Value};

/// The names, before an evaluation and after it.
pub(super) struct Partial {
    /// Whether something was asked for that only the machine can tell.
    asked: Arc<AtomicBool>,
    names: Value,
}

impl Partial {
    /// Nothing asked for yet.
    pub(super) fn new(profile: &str, fixed: &Fixed) -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let env = Value::from_object(Variables { fixed: fixed.clone(), asked: Arc::clone(&asked) });
        let names = Value::from_object(Names { profile: profile.to_owned(), env, asked: Arc::clone(&asked) });
        Self { asked, names }
    }

    /// What to evaluate with.
    pub(super) fn names(&self) -> Value {
        self.names.clone()
    }

    /// Whether the machine could make the result another one.
    pub(super) fn asked_for_more(&self, result: Option<&Value>) -> bool {
        // The variables may be in it as a whole, and are asked for when it is written.
        let _ = result.map(Value::to_string);
        self.asked.load(Ordering::Relaxed)
    }
}

#[derive(Debug)]
struct Names {
    profile: String,
    env: Value,
    asked: Arc<AtomicBool>,
}

impl Object for Names {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match key.as_str()? {
            CONSTANT_NAME => Some(Value::from(&self.profile)),
            "env" => Some(self.env.clone()),
            name => {
                self.asked.fetch_or(MACHINE_NAMES.contains(&name), Ordering::Relaxed);
                None
            }
        }
    }
}

#[derive(Debug)]
struct Variables {
    fixed: Fixed,
    asked: Arc<AtomicBool>,
}

impl Object for Variables {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        self.asked.fetch_or(!self.fixed.holds(name), Ordering::Relaxed);
        self.fixed.value(name).map(Value::from)
    }

    /// All variables: those that are not fixed may be among them.
    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.asked.store(true, Ordering::Relaxed);
        Enumerator::Empty
    }
}
