//! Listeners of each mode, and what the whole composition does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_runtime::{Dispatcher, Flow, ListenerError, MountError, Next, NoConfig, NoInject, PluginContext, Topic, plugin};
use dsh_system_prompt::AssembleContext;
use dsh_testkit::Harness;

use crate::events::{Day, DictionaryClosing, DictionaryLookUp, DictionaryLookedUp, DictionarySaving, LookedUp};
use crate::pocket_dictionary::{Config, Dictionary, PocketDictionary};
use crate::translator::{self, Translator};

/// Writes down what it hears.
pub struct Diary {
    lines: Mutex<Vec<String>>,
}

#[plugin]
impl Diary {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self { lines: Mutex::default() })
    }

    #[on(DictionaryLookedUp)]
    pub fn note(&self, looked_up: &LookedUp) {
        self.write(format!("{}: {}", looked_up.word, looked_up.found.as_deref().unwrap_or("?")));
    }

    #[on(DictionarySaving)]
    pub async fn save(&self, today: &Day) -> Result<(), ListenerError> {
        self.write(format!("{} words saved", today.0.len()));
        Ok(())
    }

    #[on(DictionaryClosing, last)]
    pub async fn close(&self, _today: &Day) -> Result<(), ListenerError> {
        self.write("good night".to_owned());
        Ok(())
    }
}

impl Diary {
    fn write(&self, line: String) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

/// Answers what is no word of the language.
pub struct Numbers;

#[plugin]
impl Numbers {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(DictionaryLookUp)]
    pub async fn pass_numbers(&self, word: &mut String, next: Next<'_, DictionaryLookUp>) -> Flow<DictionaryLookUp> {
        if word.chars().all(|letter| letter.is_ascii_digit()) {
            return next.decide(Some(word.clone()));
        }
        next.run(word).await
    }
}

/// Asks in small letters and answers politely.
pub struct Manners;

#[plugin]
impl Manners {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(DictionaryLookUp, first)]
    pub async fn mind(&self, word: &mut String, next: Next<'_, DictionaryLookUp>) -> Flow<DictionaryLookUp> {
        word.make_ascii_lowercase();
        let flow = next.run(word).await;
        flow.map(|found| found.map(|answer| format!("{answer}, if you please")))
    }
}

fn words() -> Config {
    Config { words: BTreeMap::from([("house".to_owned(), "Haus".to_owned())]) }
}

fn alone(dictionary: Arc<dyn Dictionary>) -> translator::Inject {
    translator::Inject {
        dictionary,
        prompt: None,
        look_up: Dispatcher::detached(),
        looked_up: Dispatcher::detached(),
        saving: Dispatcher::detached(),
        closing: Dispatcher::detached(),
    }
}

#[tokio::test]
async fn a_consumer_knows_a_service_by_its_type_and_not_who_provides_it() {
    struct Echo;

    impl Dictionary for Echo {
        fn look_up(&self, word: &str) -> Option<String> {
            Some(word.to_owned())
        }
    }
    let mut harness = Harness::new();
    let pocket = harness.mount::<PocketDictionary>("dictionary", words(), NoInject {}).await;
    let translator = harness.mount::<Translator>("translator", NoConfig {}, alone(pocket.plugin())).await.plugin();
    assert_eq!(translator.translate("house").await.unwrap().as_deref(), Some("Haus"));
    let other = harness.mount::<Translator>("other", NoConfig {}, alone(Arc::new(Echo))).await.plugin();
    assert_eq!(other.translate("house").await.unwrap().as_deref(), Some("house"));
    harness.teardown().await;
}

#[tokio::test]
async fn what_a_row_registered_ends_with_it() {
    let mut harness = Harness::new();
    let prompt = Arc::clone(&harness.tooling().await.prompt);
    let pocket = harness.mount::<PocketDictionary>("dictionary", words(), NoInject {}).await;
    let inject = translator::Inject { prompt: Some(Arc::clone(&prompt)), ..alone(pocket.plugin()) };
    let translator = harness.mount::<Translator>("translator", NoConfig {}, inject).await;
    let hints = async || {
        let assembly = prompt.assemble(AssembleContext::default()).await.unwrap();
        assembly.sections.iter().filter(|section| section.name == "translator").count()
    };
    assert_eq!(hints().await, 1);
    translator.context().effects().unwind().await;
    assert_eq!(hints().await, 0);
    harness.teardown().await;
}

#[tokio::test]
async fn listeners_hear_in_the_mode_of_their_event() {
    let mut harness = Harness::new();
    let (look_up, looked_up) = (Topic::<DictionaryLookUp>::new(), Topic::<DictionaryLookedUp>::new());
    let (saving, closing) = (Topic::<DictionarySaving>::new(), Topic::<DictionaryClosing>::new());
    let pocket = harness.mount::<PocketDictionary>("dictionary", words(), NoInject {}).await;
    let inject = translator::Inject {
        look_up: look_up.dispatcher(),
        looked_up: looked_up.dispatcher(),
        saving: saving.dispatcher(),
        closing: closing.dispatcher(),
        ..alone(pocket.plugin())
    };
    let translator = harness.mount::<Translator>("translator", NoConfig {}, inject).await.plugin();
    let diary = harness.mount::<Diary>("diary", NoConfig {}, NoInject {}).await;
    looked_up.attach(&diary);
    saving.attach(&diary);
    closing.attach(&diary);
    look_up.attach(&harness.mount::<Numbers>("numbers", NoConfig {}, NoInject {}).await);
    look_up.attach(&harness.mount::<Manners>("manners", NoConfig {}, NoInject {}).await);

    assert_eq!(translator.translate("HOUSE").await.unwrap().as_deref(), Some("Haus, if you please"));
    assert_eq!(translator.translate("42").await.unwrap().as_deref(), Some("42, if you please"));
    assert_eq!(translator.translate("tree").await.unwrap(), None);
    translator.end_of_day().await.unwrap();
    let lines = diary.plugin().lines.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert_eq!(lines, ["house: Haus, if you please", "42: 42, if you please", "tree: ?", "3 words saved", "good night"]);
    harness.teardown().await;
}
