use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_runtime::{EffectStack, MountError, Position, Scope};
use dsh_system_prompt::{Config, Context, HARNESS_IDENTITY, PERSONA, RegisterError, Section};

use crate::world::{World, bare};

#[tokio::test]
async fn the_config_gives_identity_and_persona() {
    let world = World::new(Config { include_harness_identity: true, persona: "Be brief.".to_owned(), ..bare() }).await;
    let names: Vec<_> = world.assembly(None).await.unwrap().sections.into_iter().map(|section| (section.name, section.order)).collect();
    assert_eq!(names, [(HARNESS_IDENTITY.to_owned(), -100.0), (PERSONA.to_owned(), 0.0)]);
    assert!(world.system(None).await.unwrap().ends_with("\n\nBe brief."));
    assert_eq!(World::new(bare()).await.system(None).await, None);
}

#[tokio::test]
async fn an_agent_sees_its_own_part_in_place_of_the_shared_one() {
    let world = World::new(Config { persona: "shared".to_owned(), ..bare() }).await;
    let (own, other) = (Scope::open("own"), Scope::open("other"));
    world.prompt.section(Some(own.id()), Section::new(PERSONA, 0.0, "own"), own.effects()).unwrap();
    world.prompt.section(Some(own.id()), Section::new("extra", -1.0, "first"), own.effects()).unwrap();
    assert_eq!(world.system(Some(own.id())).await.as_deref(), Some("first\n\nown"));
    assert_eq!(world.system(Some(other.id())).await.as_deref(), Some("shared"));
    own.effects().unwind().await;
    assert_eq!(world.system(Some(own.id())).await.as_deref(), Some("shared"));
}

#[tokio::test]
async fn names_and_orders_are_checked() {
    let World { prompt, effects, .. } = World::new(bare()).await;
    let section = |name: &str, order: f64| prompt.section(None, Section::new(name, order, "x"), &effects);
    assert_eq!(section(PERSONA, 3.0), Err(RegisterError::Duplicate { kind: "section", name: PERSONA.to_owned() }));
    assert_eq!(section(" ", 3.0), Err(RegisterError::Unnamed { kind: "section" }));
    assert_eq!(section("x", f64::NAN), Err(RegisterError::Order { kind: "section", name: "x".to_owned() }));
    // A plugin that adds a section when it mounts fails with the same words.
    let failure = MountError::from(section(PERSONA, 3.0).unwrap_err());
    assert_eq!(failure.to_string(), format!("the prompt already has a section named `{PERSONA}` in this layer"));
    let context = |name: &str| prompt.context(None, Context::new(name, 1.0, "x"), &effects);
    assert_eq!((context("c"), context("c")), (Ok(()), Err(RegisterError::Duplicate { kind: "context", name: "c".to_owned() })));
    let variable = |name: &str| prompt.variable(None, name, |_| None, &effects);
    assert_eq!(variable("a_1"), Ok(()));
    for name in ["", "1a", "A", "a-b"] {
        assert_eq!(variable(name), Err(RegisterError::VariableName { name: name.to_owned() }));
    }
}

#[tokio::test]
async fn a_contributor_that_ends_leaves_nothing() {
    let world = World::new(bare()).await;
    let (before, effects) = (world.assembly(None).await.unwrap(), EffectStack::new("contributor"));
    world.prompt.section(None, Section::new("a", 1.0, "x"), &effects).unwrap();
    world.prompt.context(None, Context::new("b", 1.0, "x"), &effects).unwrap();
    assert_ne!(world.assembly(None).await.unwrap(), before);
    effects.unwind().await;
    assert_eq!(world.assembly(None).await.unwrap(), before);
}

#[tokio::test]
async fn every_change_is_announced_after_it_took_effect() {
    let world = World::new(bare()).await;
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let observer = move |(): &()| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(())
    };
    world.change.listen((Position::Row, 0), None, Arc::new(observer), &world.effects);
    let effects = EffectStack::new("contributor");
    world.prompt.section(None, Section::new("a", 1.0, "x"), &effects).unwrap();
    world.prompt.suppress_runtime_context(None, &effects);
    assert_eq!(count.load(Ordering::SeqCst), 2);
    effects.unwind().await;
    assert_eq!(count.load(Ordering::SeqCst), 4);
}
