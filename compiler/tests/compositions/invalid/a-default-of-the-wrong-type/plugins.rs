// package: dsh-odd
#[config]
pub struct Config {
    #[config(default = "fast")]
    pub pace: Pace,
    #[config(default = "slow")]
    pub limits: Limits,
}

#[config]
pub struct Limits {}

#[config]
pub enum Pace {
    Slow,
}

pub struct Odd;

#[plugin(provides())]
impl Odd {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}
