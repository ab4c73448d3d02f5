//! What the row's config means for models and retries.

use std::time::Duration;

use dsh_llm::ModelInfo;
use dsh_llm_deepseek::{Backoff, Config, Effort, ModelConfig, RetryConfig, RetryMode, Thinking};
use dsh_runtime::CancellationToken;
use dsh_session::{AdapterDefaults, CallConfig};

use crate::setup::{Setup, config, mounted};

async fn with(change: impl FnOnce(&mut Config)) -> Result<Setup, String> {
    let mut config = config("http://127.0.0.1:9");
    change(&mut config);
    mounted(config, &[]).await.map_err(|error| error.to_string())
}

fn model(id: &str) -> ModelConfig {
    ModelConfig { id: id.to_owned(), name: None, description: None, context_window: None, max_tokens: None }
}

#[tokio::test]
async fn defaults_of_any_model() {
    let llm = with(|_| {}).await.unwrap().llm.plugin();
    let offered: Vec<_> = llm.list_models("deepseek-official").unwrap().into_iter().map(|model| model.id).collect();
    assert_eq!(offered, ["deepseek-v4-flash", "deepseek-v4-pro"]);
    let config = CallConfig { provider: "deepseek-official".to_owned(), model: "any".to_owned(), ..CallConfig::default() };
    let call = llm.prepare(config, &CancellationToken::new()).await.unwrap();
    assert_eq!((call.config.reasoning_effort.as_deref(), call.config.max_tokens), (Some("high"), Some(256_000)));
    assert_eq!(
        (call.adapter_defaults, call.context_window),
        (AdapterDefaults { reasoning_effort: true, max_tokens: true }, Some(1_000_000))
    );
}

#[tokio::test]
async fn a_blank_model_is_unknown() {
    let llm = with(|_| {}).await.unwrap().llm.plugin();
    let config = CallConfig { provider: "deepseek-official".to_owned(), ..CallConfig::default() };
    assert_eq!(llm.prepare(config, &CancellationToken::new()).await.err().unwrap().code, "UNKNOWN_MODEL");
}

#[tokio::test]
async fn listed_models_have_their_own_figures() {
    let listed = ModelConfig { name: Some("Small".to_owned()), context_window: Some(128_000), max_tokens: Some(8), ..model("small") };
    let llm = with(|config| config.models = vec![listed, model("plain")]).await.unwrap().llm.plugin();
    let models = llm.list_models("deepseek-official").unwrap();
    let expected = ModelInfo {
        id: "small".to_owned(),
        name: Some("Small".to_owned()),
        description: None,
        context_window: Some(128_000),
        default_max_tokens: Some(8),
        reasoning_efforts: ["off", "low", "high", "max"].map(str::to_owned).to_vec(),
        default_reasoning_effort: Some("high".to_owned()),
    };
    assert_eq!(models[0], expected);
    assert_eq!((models[1].context_window, models[1].default_max_tokens), (Some(1_000_000), Some(256_000)));
}

#[tokio::test]
async fn disabled_thinking_leaves_the_effort_off() {
    let llm = with(|config| config.thinking = Some(Thinking::Disabled)).await.unwrap().llm.plugin();
    let model = llm.list_models("deepseek-official").unwrap().remove(0);
    assert_eq!((model.reasoning_efforts, model.default_reasoning_effort.as_deref()), (vec!["off".to_owned()], Some("off")));
}

#[tokio::test]
async fn fields_that_contradict_each_other_keep_the_row_from_mounting() {
    let refused = |outcome: Result<Setup, String>| outcome.err().unwrap();
    let thinking = with(|config| (config.thinking, config.reasoning_effort) = (Some(Thinking::Disabled), Some(Effort::Low))).await;
    assert!(refused(thinking).contains("reasoningEffort"));
    assert_eq!(refused(with(|config| config.models = vec![model("a"), model("a")]).await), "`models` lists `a` twice");
    assert!(refused(with(|config| config.retry_policy.backoff.initial_delay_ms = 20_000).await).contains("20000"));
}

#[tokio::test]
async fn the_retry_policy_is_the_rows() {
    let backoff = Backoff { initial_delay_ms: 1, max_delay_ms: 2, jitter_ratio: 0.0 };
    let retry = RetryConfig { mode: RetryMode::Always, max_retries: 3, retryable_codes: vec!["AUTH".to_owned()], backoff };
    let llm = with(|config| config.retry_policy = retry).await.unwrap().llm.plugin();
    let config = CallConfig { provider: "deepseek-official".to_owned(), model: "m".to_owned(), ..CallConfig::default() };
    let policy = llm.prepare(config, &CancellationToken::new()).await.unwrap().retry_policy;
    assert_eq!((policy.max_retries, policy.codes), (None, vec!["AUTH".to_owned()]));
    assert_eq!((policy.initial_delay, policy.max_delay), (Duration::from_millis(1), Duration::from_millis(2)));
}
