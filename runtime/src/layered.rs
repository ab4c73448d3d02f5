//! Registries with one layer for the whole binary, one for each preset and one for each agent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::effect::EffectStack;
use crate::scope::ScopeId;

/// Names and values in order of registration.
type Layer<T> = Vec<(String, Arc<T>)>;

/// Values registered by name: one layer for the whole binary, and one for each preset and each agent that has any.
///
/// Cloning shares the contents.
pub struct Layered<T> {
    layers: Arc<Mutex<BTreeMap<Option<ScopeId>, Layer<T>>>>,
}

impl<T> Clone for Layered<T> {
    fn clone(&self) -> Self {
        Self { layers: Arc::clone(&self.layers) }
    }
}

impl<T> Default for Layered<T> {
    fn default() -> Self {
        Self { layers: Arc::default() }
    }
}

impl<T: Send + Sync + 'static> Layered<T> {
    /// Adds a value to a layer and undoes it with `effects`.
    ///
    /// # Errors
    /// The name, when the layer has a value of that name.
    pub fn insert(&self, scope: Option<ScopeId>, name: &str, value: T, effects: &EffectStack) -> Result<(), String> {
        let value = Arc::new(value);
        {
            let mut layers = self.layers.lock().unwrap_or_else(PoisonError::into_inner);
            let layer = layers.entry(scope).or_default();
            if layer.iter().any(|(taken, _)| taken == name) {
                return Err(name.to_owned());
            }
            layer.push((name.to_owned(), Arc::clone(&value)));
        }
        let layers = Arc::clone(&self.layers);
        effects.push_sync(move || {
            let mut layers = layers.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(layer) = layers.get_mut(&scope) {
                layer.retain(|(_, held)| !Arc::ptr_eq(held, &value));
                if layer.is_empty() {
                    layers.remove(&scope);
                }
            }
        });
        Ok(())
    }

    /// What a scope sees: the shared layer in order of registration, then what the scope's preset adds, then what the scope adds. A
    /// nearer value takes the place of another of its name.
    #[must_use]
    pub fn view(&self, scope: Option<ScopeId>) -> Vec<(String, Arc<T>)> {
        let layers = self.layers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen: Layer<T> = Layer::new();
        for (name, value) in nearest_last(scope).filter_map(|key| layers.get(&key)).flatten() {
            match seen.iter_mut().find(|(other, _)| other == name) {
                Some((_, held)) => held.clone_from(value),
                None => seen.push((name.clone(), Arc::clone(value))),
            }
        }
        seen
    }

    /// The value of a name as a scope sees it.
    #[must_use]
    pub fn get(&self, scope: Option<ScopeId>, name: &str) -> Option<Arc<T>> {
        let layers = self.layers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = nearest_last(scope).rev().filter_map(|key| layers.get(&key)?.iter().find(|(other, _)| other == name)).next();
        found.map(|(_, value)| Arc::clone(value))
    }

    /// Whether nothing is registered in any layer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// The layers that a scope looks up: the shared one, its preset's, its own.
fn nearest_last(scope: Option<ScopeId>) -> impl DoubleEndedIterator<Item = Option<ScopeId>> {
    let preset = scope.and_then(ScopeId::preset);
    std::iter::once(None).chain(preset.map(Some)).chain(scope.map(Some))
}
