// package: dsh-store
/// Reads.
#[service(key = "reading")]
pub trait Reading: Send + Sync {}
/// Writes.
#[service(key = "writing")]
pub trait Writing: Send + Sync {}
pub struct Store;
#[plugin(provides(dyn Reading, dyn Writing))]
impl Store {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-reader
#[derive(Inject)]
pub struct Inject {
    pub reading: Arc<dyn Reading>,
}
pub struct Reader;
#[plugin]
impl Reader {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
    #[verb(name = "read", about = "reads")]
    pub async fn read(&self, args: Vec<String>, session: ServeSession) -> Exit {
        todo!()
    }
}

// package: dsh-writer
#[derive(Inject)]
pub struct Inject {
    pub writing: Arc<dyn Writing>,
}
pub struct Writer;
#[plugin]
impl Writer {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
    #[verb(name = "write", about = "writes")]
    pub async fn write(&self, args: Vec<String>, session: ServeSession) -> Exit {
        todo!()
    }
}
