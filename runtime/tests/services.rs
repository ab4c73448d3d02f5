//! Async functions of service traits behave as async functions do, behind `dyn`.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use dsh_runtime::{implements, service};

#[derive(Debug, PartialEq)]
pub struct Missing;

impl From<std::num::ParseIntError> for Missing {
    fn from(_: std::num::ParseIntError) -> Self {
        Self
    }
}

pub type Filter = Box<dyn Fn(&str) -> bool + Send>;

#[service(key = "store")]
pub trait Store: Send + Sync {
    async fn read(&self, key: String) -> Result<u64, Missing>;
    async fn forget(&self, key: String);
    async fn borrow(&self) -> &Path;
    async fn count(&self, filter: Filter, label: &'static str) -> (usize, &'static str);
    async fn boxed(&self) -> Box<dyn std::fmt::Debug + Send>;
    async fn sum(&self, mut keys: Vec<String>) -> Result<u64, Missing> {
        let Some(key) = keys.pop() else { return Ok(0) };
        let first = self.read(key).await?;
        Ok(first + self.sum(keys).await?)
    }
    fn sync(&self, key: &str) -> bool;
}

struct Memory {
    root: PathBuf,
    values: Mutex<Vec<(String, String)>>,
}

#[implements]
impl Store for Memory {
    async fn read(&self, key: String) -> Result<u64, Missing> {
        let value = self.values.lock().unwrap().iter().find(|(held, _)| *held == key).map(|(_, value)| value.clone());
        let Some(value) = value else { return Err(Missing) };
        tokio::task::yield_now().await;
        Ok(value.parse::<u64>()?)
    }

    async fn forget(&self, mut key: String) {
        key.make_ascii_lowercase();
        if key.is_empty() {
            return;
        }
        self.values.lock().unwrap().retain(|(held, _)| *held != key);
    }

    async fn borrow(&self) -> &Path {
        &self.root
    }

    async fn count(&self, filter: Filter, label: &'static str) -> (usize, &'static str) {
        (self.values.lock().unwrap().iter().filter(|(key, _)| filter(key)).count(), label)
    }

    async fn boxed(&self) -> Box<dyn std::fmt::Debug + Send> {
        if self.root.as_os_str().is_empty() {
            return Box::new("no root");
        }
        Box::new(self.root.clone())
    }

    fn sync(&self, key: &str) -> bool {
        self.values.lock().unwrap().iter().any(|(held, _)| held == key)
    }
}

#[tokio::test]
async fn async_functions_of_a_trait_work_behind_dyn() {
    let values = [("a", "1"), ("b", "2"), ("c", "x")].map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    let store: Arc<dyn Store> = Arc::new(Memory { root: PathBuf::from("/r"), values: Mutex::new(values) });
    let keys = |keys: &[&str]| keys.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(store.sum(keys(&["a", "b"])).await, Ok(3));
    assert_eq!(store.sum(keys(&["a", "c"])).await, Err(Missing), "a failed `?` converts the error");
    assert_eq!(store.read("z".to_owned()).await, Err(Missing));
    store.forget("A".to_owned()).await;
    assert!(!store.sync("a") && store.sync("b"));
    assert_eq!(store.borrow().await, Path::new("/r"));
    assert_eq!(store.count(Box::new(|key| key > "b"), "label").await, (1, "label"));
    assert_eq!(format!("{:?}", store.boxed().await), "\"/r\"");
    let task = tokio::spawn(async move { store.read("b".to_owned()).await });
    assert_eq!(task.await.unwrap(), Ok(2), "the future may move to another thread");
}
