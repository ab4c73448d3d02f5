// package: dsh-odd
#[config]
pub enum Pace {
    Slow,
}

pub struct Odd;

#[plugin(provides())]
impl Odd {
    pub async fn mount(cx: &PluginContext, config: Pace) -> Result<Self, MountError> {
        Ok(Self)
    }
}
