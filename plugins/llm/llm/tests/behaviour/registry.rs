//! Adapters come and go; calls are resolved against the one of their provider.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_llm::ModelInfo;
use dsh_runtime::{CancellationToken, EffectStack, Position};
use dsh_session::{AdapterDefaults, CallConfig};

use crate::fake::{Act, Fake, config, setup};

#[tokio::test]
async fn a_provider_has_one_adapter_which_leaves_nothing() {
    let setup = setup(None).await;
    let heard = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&heard);
    let listener = Arc::new(move |(): &()| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    setup.updated.listen((Position::Row, 1), None, listener, setup.llm.context().effects());
    let (llm, effects) = (setup.llm.plugin(), EffectStack::new("adapter"));
    llm.register(Arc::new(Fake::new(Act::Panic)), &effects).unwrap();
    assert!(llm.has("p"));
    assert_eq!(llm.providers(), ["p"]);
    assert_eq!(llm.list_models("p").unwrap()[0].id, "m");
    let refused = llm.register(Arc::new(Fake::new(Act::Panic)), &effects).unwrap_err();
    assert_eq!((refused.code(), refused.to_string().contains("`p`")), ("DUPLICATE_ADAPTER", true));
    let blank = Fake { provider: " ", ..Fake::new(Act::Panic) };
    assert_eq!(llm.register(Arc::new(blank), &effects).unwrap_err().code(), "INVALID_ADAPTER");
    assert_eq!(heard.load(Ordering::SeqCst), 1);
    effects.unwind().await;
    assert!(!llm.has("p"));
    assert_eq!(llm.list_models("p").unwrap_err().code, "NO_ADAPTER");
    assert_eq!(heard.load(Ordering::SeqCst), 2);
    llm.register(Arc::new(Fake::new(Act::Panic)), &effects).unwrap();
}

#[tokio::test]
async fn defaults_are_filled_in_and_marked() {
    let setup = setup(None).await;
    setup.register(Fake::new(Act::Panic));
    let (llm, signal) = (setup.llm.plugin(), CancellationToken::new());
    let call = llm.prepare(config("p", "m"), &signal).await.unwrap();
    assert_eq!((call.config.reasoning_effort.as_deref(), call.config.max_tokens), (Some("high"), Some(50)));
    assert_eq!(call.adapter_defaults, AdapterDefaults { reasoning_effort: true, max_tokens: true });
    assert_eq!(call.context_window, Some(1000));
    assert_eq!(call.retry_policy.max_retries, Some(5));
    let stated = CallConfig { reasoning_effort: Some("off".to_owned()), max_tokens: Some(7), ..config("p", "m") };
    let call = llm.prepare(stated.clone(), &signal).await.unwrap();
    assert_eq!((call.config, call.adapter_defaults), (stated, AdapterDefaults::default()));
}

#[tokio::test]
async fn what_cannot_be_resolved_has_a_code() {
    let setup = setup(None).await;
    setup.register(Fake::new(Act::Panic));
    let bare = ModelInfo { id: "m".to_owned(), ..ModelInfo::default() };
    let wrong = [
        ("window", ModelInfo { context_window: Some(0), ..bare.clone() }),
        ("ceiling", ModelInfo { default_max_tokens: Some(0), ..bare.clone() }),
        ("effort", ModelInfo { default_reasoning_effort: Some("x".to_owned()), ..bare.clone() }),
        ("bare", bare),
    ];
    for (provider, model) in wrong {
        setup.register(Fake { provider, model, act: Act::Panic });
    }
    let (llm, signal) = (setup.llm.plugin(), CancellationToken::new());
    let high = |provider| CallConfig { reasoning_effort: Some("max".to_owned()), ..config(provider, "m") };
    for (config, code) in [
        (config("q", "m"), "NO_ADAPTER"),
        (config("p", "unknown"), "UNKNOWN_MODEL"),
        (high("p"), "UNSUPPORTED_REASONING_EFFORT"),
        (high("bare"), "UNSUPPORTED_REASONING_EFFORT"),
        (config("window", "m"), "INVALID_MODEL_CONTEXT"),
        (config("ceiling", "m"), "INVALID_MODEL_MAX_TOKENS"),
        (config("effort", "m"), "INVALID_MODEL_REASONING"),
    ] {
        let failure = llm.prepare(config, &signal).await.err().map(|failure| failure.code);
        assert_eq!(failure.as_deref(), Some(code));
    }
    signal.cancel();
    assert_eq!(llm.prepare(config("p", "slow"), &signal).await.err().map(|failure| failure.code).as_deref(), Some("ABORTED"));
}
