// package: dsh-agent-a-profile-whose-package-is-taken
pub struct Taken;

#[plugin(provides())]
impl Taken {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}
