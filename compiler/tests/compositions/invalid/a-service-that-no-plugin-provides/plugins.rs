// package: dsh-store
#[service(key = "store")]
pub trait Store: Send + Sync {
    fn name(&self) -> String;
}

// package: dsh-user
#[derive(Inject)]
pub struct Inject {
    pub store: Arc<dyn Store>,
}

pub struct User;

#[plugin(provides())]
impl User {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}
