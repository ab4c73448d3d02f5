// package: dsh-odd
#[config]
pub struct Config {
    #[config(default = {})]
    pub limits: Renamed,
}

pub struct Odd;

#[plugin(provides())]
impl Odd {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}
