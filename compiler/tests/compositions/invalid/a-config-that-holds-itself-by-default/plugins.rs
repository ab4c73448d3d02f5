// package: dsh-odd
#[config]
pub struct Config {
    #[config(default = {})]
    pub first: First,
}

#[config]
pub struct First {
    #[config(default = {})]
    pub second: Second,
    #[config(default = {})]
    pub another: Second,
}

#[config]
pub struct Second {
    #[config(default = {})]
    pub first: First,
}

pub struct Odd;

#[plugin(provides())]
impl Odd {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}
