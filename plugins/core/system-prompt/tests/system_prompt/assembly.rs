use std::sync::Arc;

use dsh_runtime::event::Around;
use dsh_runtime::{BoxFuture, Flow, Next, Position, Scope};
use dsh_system_prompt::{Assembling, Config, Context, PERSONA, PromptError, Section, SystemPromptAssemble, Text};

use crate::world::{World, bare};

/// Sets the variable `model` before it delegates, and adds a section afterwards.
struct Selection;

impl Around<SystemPromptAssemble> for Selection {
    fn call<'a>(
        &'a self,
        assembling: &'a mut Assembling,
        next: Next<'a, SystemPromptAssemble>,
    ) -> BoxFuture<'a, Flow<SystemPromptAssemble>> {
        Box::pin(async move {
            assembling.assembly.variables.insert("model".to_owned(), Some("m1".to_owned()));
            let flow = next.run(assembling).await;
            flow.map(|assembly| {
                assembly.map(|mut assembly| {
                    let mut added = assembly.sections[0].clone();
                    (added.name, added.text) = ("added".to_owned(), "added for {{model}}".to_owned());
                    assembly.sections.push(added);
                    assembly
                })
            })
        })
    }
}

#[tokio::test]
async fn parts_go_by_order_then_registration_and_empty_ones_are_left_out() {
    let world = World::new(bare()).await;
    for (name, order, text) in [("late", 116.5, "4"), ("tie-1", 5.0, "2"), ("empty", 6.0, ""), ("tie-2", 5.0, "3"), ("early", -2.0, "1")] {
        world.prompt.section(None, Section::new(name, order, text), &world.effects).unwrap();
        world.prompt.context(None, Context::new(name, order, text), &world.effects).unwrap();
    }
    let rendered = world.rendered(None).await.unwrap();
    assert_eq!(rendered.system.as_deref(), Some("1\n\n2\n\n3\n\n4"));
    let contexts: Vec<_> = rendered.contexts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(contexts, [("early", "1"), ("tie-1", "2"), ("tie-2", "3"), ("late", "4")]);
}

#[tokio::test]
async fn variables_are_filled_in_after_the_listeners() {
    let world = World::new(Config { persona: "{{model}} in {{cwd}}".to_owned(), ..bare() }).await;
    world.prompt.variable(None, "model", |_| None, &world.effects).unwrap();
    world.prompt.variable(None, "cwd", |_| Some("/ws".to_owned()), &world.effects).unwrap();
    let missing = world.rendered(None).await.unwrap_err().to_string();
    assert!(missing.contains(PERSONA) && missing.contains("{{model}}"), "{missing}");
    world.assemble.listen((Position::Row, 1), None, Arc::new(Selection), &world.effects);
    assert_eq!(world.system(None).await.as_deref(), Some("m1 in /ws\n\nadded for m1"));
}

#[tokio::test]
async fn texts_and_values_are_made_for_each_assembly() {
    let world = World::new(bare()).await;
    let scope = Scope::open("agent");
    let id = scope.id();
    let text = Text::computed(move |context| if context.scope == Some(id) { "mine".to_owned() } else { String::new() });
    world.prompt.section(None, Section::new("s", 1.0, text), &world.effects).unwrap();
    assert_eq!(world.system(None).await, None);
    assert_eq!(world.system(Some(id)).await.as_deref(), Some("mine"));
}

#[tokio::test]
async fn a_complete_section_stands_alone_whatever_listeners_add() {
    let world = World::new(Config { persona: "persona".to_owned(), ..bare() }).await;
    world.assemble.listen((Position::Row, 1), None, Arc::new(Selection), &world.effects);
    let scope = Scope::open("agent");
    let whole = Section { complete: true, ..Section::new("whole", 50.0, "all") };
    world.prompt.section(Some(scope.id()), whole, scope.effects()).unwrap();
    assert_eq!(world.system(Some(scope.id())).await.as_deref(), Some("all"));
    let second = Section { complete: true, ..Section::new("second", 60.0, "all too") };
    world.prompt.section(Some(scope.id()), second, scope.effects()).unwrap();
    let refused = world.assembly(Some(scope.id())).await.unwrap_err();
    assert_eq!(refused, PromptError::SeveralComplete { first: "whole".to_owned(), second: "second".to_owned() });
}

#[tokio::test]
async fn runtime_contexts_can_be_left_out() {
    let off = World::new(Config { include_runtime_context: false, ..bare() }).await;
    off.prompt.context(None, Context::new("c", 1.0, "x"), &off.effects).unwrap();
    assert_eq!(off.assembly(None).await.unwrap().contexts, []);
    let world = World::new(bare()).await;
    world.prompt.context(None, Context::new("c", 1.0, "x"), &world.effects).unwrap();
    let scope = Scope::open("agent");
    world.prompt.suppress_runtime_context(Some(scope.id()), scope.effects());
    assert_eq!(world.assembly(Some(scope.id())).await.unwrap().contexts, []);
    assert_eq!(world.assembly(None).await.unwrap().contexts.len(), 1);
    scope.effects().unwind().await;
    assert_eq!(world.assembly(Some(scope.id())).await.unwrap().contexts.len(), 1);
}
