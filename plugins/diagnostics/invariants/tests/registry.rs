//! Which packages' checks are installed, and when their names are free again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_invariants::{Config, InvariantRegistry};
use dsh_runtime::{Invariants, NoInject, PluginContext, Surroundings, mount};

fn context(row: &str) -> PluginContext {
    PluginContext::new(row, 0, Surroundings::of_process())
}

fn lists(allow: &[&str], block: &[&str]) -> Config {
    let own = |list: &[&str]| list.iter().map(ToString::to_string).collect();
    Config { enabled: true, package_allowlist: own(allow), package_blocklist: own(block) }
}

async fn registry(config: Config) -> Result<Arc<InvariantRegistry>, String> {
    let mounted = mount::<InvariantRegistry>(context("invariants"), config, NoInject {}).await;
    mounted.map(|mounted| mounted.plugin()).map_err(|error| error.to_string())
}

/// Whether the registry runs a package's installer.
fn installs(registry: &InvariantRegistry, package: &str) -> bool {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let install = Box::new(move |_: &PluginContext| {
        counted.fetch_add(1, Ordering::SeqCst);
    });
    registry.register(package, &context("owner"), install).unwrap();
    count.load(Ordering::SeqCst) == 1
}

#[tokio::test]
async fn the_lists_choose_and_the_block_list_wins() {
    let all = registry(lists(&[], &[])).await.unwrap();
    assert!(installs(&all, "dsh-session"));
    let chosen = registry(lists(&["^dsh-(session|llm)$", "tools"], &["^dsh-llm$"])).await.unwrap();
    let admitted = ["dsh-session", "dsh-llm", "dsh-tools", "dsh-tools-extra", "dsh-Tools", "dsh-session-title"];
    assert_eq!(admitted.map(|package| installs(&chosen, package)), [true, false, true, true, false, false]);
}

#[tokio::test]
async fn a_disabled_registry_installs_nothing_and_still_takes_names() {
    let off = registry(Config { enabled: false, ..lists(&[], &[]) }).await.unwrap();
    assert!(!installs(&off, "dsh-session"));
    let again = off.register("dsh-session", &context("owner"), Box::new(|_| {})).unwrap_err();
    assert!(again.contains("dsh-session"), "{again}");
}

#[tokio::test]
async fn rows_of_one_plugin_have_checks_of_their_own() {
    let registry = registry(lists(&[], &[])).await.unwrap();
    assert!(installs(&registry, "dsh-tools"));
    registry.register("dsh-tools", &context("in-a-realm"), Box::new(|_| {})).unwrap();
    registry.register("dsh-tools", &context("in-a-realm"), Box::new(|_| {})).unwrap_err();
}

#[tokio::test]
async fn undoing_checks_leaves_nothing_and_the_name_is_free() {
    let registry = registry(lists(&[], &[])).await.unwrap();
    let owner = context("owner");
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (seen, other) = (Arc::clone(&order), Arc::clone(&registry));
    let install = Box::new(move |cx: &PluginContext| {
        cx.effects().push_sync(move || {
            let taken = other.register("dsh-session", &context("owner"), Box::new(|_| {})).is_err();
            seen.lock().unwrap().push(taken);
        });
    });
    registry.register("dsh-session", &owner, install).unwrap();
    owner.effects().unwind().await;
    assert_eq!(*order.lock().unwrap(), [true]);
    assert!(installs(&registry, "dsh-session"));
}

#[tokio::test]
async fn entries_that_cannot_be_used_are_named() {
    for (entries, expected) in
        [(vec!["dsh-(", "x"], "`dsh-(`"), (vec![" dsh"], "white space"), (vec![""], "blank"), (vec!["a", "b", "a"], "`a` twice")]
    {
        for config in [lists(&entries, &[]), lists(&[], &entries)] {
            let refused = registry(config).await.err().expect("the entry is refused");
            assert!(refused.contains(expected), "{refused}");
        }
    }
}

#[tokio::test]
async fn names_without_characters_or_with_white_space_are_refused() {
    let registry = registry(lists(&[], &[])).await.unwrap();
    for name in ["", " ", "dsh session"] {
        assert!(registry.register(name, &context("owner"), Box::new(|_| {})).is_err(), "{name:?}");
    }
}
