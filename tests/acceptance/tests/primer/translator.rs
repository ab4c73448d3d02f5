//! A plugin that injects a service, registers with another, and dispatches.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_runtime::event::Base;
use dsh_runtime::{BoxFuture, Dispatcher, Inject, ListenerError, MountError, PluginContext, plugin};
use dsh_system_prompt::{Section, SystemPrompt};

use crate::events::{Day, DictionaryClosing, DictionaryLookUp, DictionaryLookedUp, DictionarySaving, LookedUp};
use crate::pocket_dictionary::Dictionary;

/// What the translator needs.
#[derive(Inject)]
pub struct Inject {
    pub dictionary: Arc<dyn Dictionary>,
    pub prompt: Option<Arc<SystemPrompt>>,
    pub look_up: Dispatcher<DictionaryLookUp>,
    pub looked_up: Dispatcher<DictionaryLookedUp>,
    pub saving: Dispatcher<DictionarySaving>,
    pub closing: Dispatcher<DictionaryClosing>,
}

pub struct Translator {
    inject: Inject,
    today: Mutex<Vec<LookedUp>>,
}

#[plugin]
impl Translator {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        if let Some(prompt) = &inject.prompt {
            let hint = Section::new("translator", 50.0, "Keep to the words of the dictionary.");
            prompt.section(None, hint, cx.effects())?;
        }
        cx.effects().push(|| async { tracing::info!("the translator has left") });
        Ok(Self { inject, today: Mutex::default() })
    }
}

impl Translator {
    pub async fn translate(&self, word: &str) -> Result<Option<String>, ListenerError> {
        let mut asked = word.to_owned();
        let found = self.inject.look_up.waterfall(&mut asked, &Ask(&*self.inject.dictionary)).await;
        let looked_up = LookedUp { word: asked, found: found.clone() };
        self.inject.looked_up.emit(&looked_up)?;
        self.today.lock().unwrap_or_else(PoisonError::into_inner).push(looked_up);
        Ok(found)
    }

    pub async fn end_of_day(&self) -> Result<(), ListenerError> {
        let today = Day(std::mem::take(&mut *self.today.lock().unwrap_or_else(PoisonError::into_inner)));
        self.inject.saving.parallel(&today).await?;
        self.inject.closing.serial(&today).await
    }
}

/// What happens when every listener delegates.
struct Ask<'d>(&'d dyn Dictionary);

impl Base<DictionaryLookUp> for Ask<'_> {
    fn call<'a>(&'a self, word: &'a mut String) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { self.0.look_up(word) })
    }
}
