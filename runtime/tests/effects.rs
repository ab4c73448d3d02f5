//! Effects are undone in reverse order, once, awaited, each within its limit. Scopes hold effects and layers of values.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_runtime::{EffectStack, Layered, Scope, ScopeId};

#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, note: &str) {
        self.0.lock().unwrap().push(note.to_owned());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    fn adds(&self, note: &'static str) -> impl FnOnce() + Send + use<> {
        let notes = self.clone();
        move || notes.add(note)
    }
}

#[tokio::test]
async fn effects_are_undone_in_reverse_order_once() {
    let (stack, notes) = (EffectStack::new("row"), Notes::default());
    stack.push_sync(notes.adds("first"));
    let waits = notes.clone();
    stack.push(move || async move {
        waits.add("second starts");
        tokio::task::yield_now().await;
        waits.add("second ends");
    });
    stack.push_sync(notes.adds("third"));
    assert!(!stack.is_empty());
    assert_eq!(stack.unwind().await.failed, Vec::<String>::new());
    assert_eq!(notes.take(), ["third", "second starts", "second ends", "first"]);
    assert!(stack.is_empty());
    stack.unwind().await;
    assert_eq!(notes.take(), Vec::<String>::new());
}

#[tokio::test]
async fn two_unwinds_at_once_share_the_work() {
    let (stack, notes) = (EffectStack::new("row"), Notes::default());
    for note in ["a", "b", "c"] {
        let notes = notes.clone();
        stack.push(move || async move {
            tokio::task::yield_now().await;
            notes.add(note);
        });
    }
    tokio::join!(stack.unwind(), stack.unwind());
    let mut undone = notes.take();
    undone.sort();
    assert_eq!(undone, ["a", "b", "c"]);
}

#[tokio::test]
async fn what_is_recorded_while_unwinding_is_undone_too() {
    let (stack, notes) = (Arc::new(EffectStack::new("row")), Notes::default());
    let (inner, adds) = (Arc::clone(&stack), notes.adds("late"));
    stack.push_sync(notes.adds("first"));
    stack.push_sync(move || inner.push_sync(adds));
    stack.unwind().await;
    assert_eq!(notes.take(), ["late", "first"]);
}

#[tokio::test(start_paused = true)]
async fn an_effect_that_hangs_or_panics_is_reported_and_the_others_run() {
    let (stack, notes) = (EffectStack::new("row"), Notes::default());
    stack.push_sync(notes.adds("first"));
    stack.push(std::future::pending);
    stack.push_sync(|| panic!("on purpose"));
    stack.push(|| async { panic!("on purpose") });
    stack.push_sync(notes.adds("last"));
    let started = tokio::time::Instant::now();
    assert_eq!(stack.unwind().await.failed, ["row", "row", "row"]);
    assert_eq!(notes.take(), ["last", "first"]);
    let took = started.elapsed();
    assert!(took >= Duration::from_secs(5) && took < Duration::from_secs(6), "one limit was waited for, not {took:?}");
}

fn names<T>(view: &[(String, Arc<T>)]) -> Vec<(&str, &T)> {
    view.iter().map(|(name, value)| (name.as_str(), &**value)).collect()
}

#[tokio::test]
async fn a_scope_sees_the_shared_layer_with_its_own_values_in_front() {
    let (layered, row) = (Layered::default(), EffectStack::new("row"));
    let (one, two) = (Scope::open("one"), Scope::open("two"));
    assert_ne!(one.id(), two.id());
    let insert = |scope: Option<&Scope>, name: &str, value: u32| {
        layered.insert(scope.map(Scope::id), name, value, scope.map_or(&row, Scope::effects))
    };
    for (scope, name, value) in [(None, "b", 1), (Some(&one), "own", 2), (None, "a", 3), (Some(&one), "b", 4)] {
        insert(scope, name, value).unwrap();
    }
    assert_eq!(insert(None, "b", 9), Err("b".to_owned()), "a name is taken once in a layer");
    let see = |scope: Option<ScopeId>| layered.view(scope);
    assert_eq!(names(&see(None)), [("b", &1), ("a", &3)]);
    assert_eq!(names(&see(Some(one.id()))), [("b", &4), ("a", &3), ("own", &2)]);
    assert_eq!(names(&see(Some(two.id()))), [("b", &1), ("a", &3)]);
    assert_eq!(layered.get(Some(one.id()), "b").as_deref(), Some(&4));
    assert_eq!(layered.get(Some(two.id()), "b").as_deref(), Some(&1));
    assert_eq!(layered.get(None, "own"), None);

    one.effects().unwind().await;
    assert_eq!(names(&see(Some(one.id()))), [("b", &1), ("a", &3)]);
    row.unwind().await;
    assert!(layered.is_empty());
    insert(None, "b", 5).unwrap();
    assert_eq!(names(&layered.clone().view(None)), [("b", &5)], "the name is free again, and clones share");
}
