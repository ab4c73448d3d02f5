//! What a client can ask for.

use std::sync::{Arc, PoisonError};

use dsh_agent::{Agent, AgentFailure, CreateAgent, ResumeAgent};
use dsh_message::{Message, MessageId, MessageSource, SessionId};
use dsh_session::NewSession;
use serde_json::{Value, json};

use crate::error::MethodError;
use crate::initialize::Defaults;
use crate::params::Params;
use crate::plugin::SdkJsonrpcServer;
use crate::slots::HeldSlot;

/// Ends serving; the loop that reads requests carries it out.
pub(crate) const SHUTDOWN: &str = "shutdown";

impl SdkJsonrpcServer {
    /// Carries a request out.
    pub(crate) async fn call(&self, method: &str, params: &Params) -> Result<Value, MethodError> {
        match method {
            "initialize" => self.initialize(params),
            "session/prompt" => self.prompt(params).await,
            "session/resume" => self.resume(params).await,
            "session/wait" => self.wait(params).await,
            "session/working-directory/get" => self.working_directory(params).await,
            "session/working-directory/set" => self.defaults().and(Err(MethodError::FixedWorkingDirectory)),
            _ => Err(MethodError::UnknownMethod(method.to_owned())),
        }
    }

    fn initialize(&self, params: &Params) -> Result<Value, MethodError> {
        let defaults = Defaults::read(params, self.cx.environment().cwd(), &self.llm)?;
        *self.defaults.lock().unwrap_or_else(PoisonError::into_inner) = Some(defaults);
        // Clients know the server by this name, whatever implements it.
        Ok(json!({ "serverInfo": { "name": "deepseek-harness-sdk-runtime", "version": "0.0.1" } }))
    }

    fn defaults(&self) -> Result<Defaults, MethodError> {
        self.defaults.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(MethodError::NotInitialized)
    }

    async fn prompt(&self, params: &Params) -> Result<Value, MethodError> {
        let defaults = self.defaults()?;
        // All that can be wrong with the request is found before a session exists.
        let (id, blocks) = (params.session_id()?, params.content_blocks()?);
        let mut slot = self.slots.hold(&id).await;
        let agent = self.open(&id, defaults, &mut slot).await?;
        let message_id = MessageId::from(self.cx.ids().uuid());
        let message = Message::user(message_id.clone(), blocks, MessageSource::User);
        agent.followup(Arc::new(message))?;
        Ok(json!({ "messageId": message_id }))
    }

    async fn resume(&self, params: &Params) -> Result<Value, MethodError> {
        let Defaults { options, .. } = self.defaults()?;
        let id = params.session_id()?;
        let already_open = || MethodError::AlreadyOpen(id.clone());
        let mut slot = self.slots.try_hold(&id).ok_or_else(already_open)?;
        if slot.is_open() && self.agents.get(&id).is_some() {
            return Err(already_open());
        }
        slot.set_open(false);
        let request = ResumeAgent { session_id: id.clone(), options, signal: self.closing.clone() };
        match self.agents.resume(request).await {
            Ok(_) => slot.set_open(true),
            Err(AgentFailure::Registered(id)) => return Err(MethodError::AlreadyOpen(id)),
            Err(error) => return Err(error.into()),
        }
        Ok(json!({}))
    }

    async fn wait(&self, params: &Params) -> Result<Value, MethodError> {
        self.defaults()?;
        let id = params.session_id()?;
        let agent = {
            let mut slot = self.slots.hold(&id).await;
            if !slot.is_open() {
                return Err(MethodError::NotFound(id));
            }
            self.opened(&id, &mut slot)?
        };
        tokio::select! {
            () = agent.when_idle() => Ok(json!({})),
            () = self.closing.cancelled() => Err(MethodError::ShuttingDown),
        }
    }

    async fn working_directory(&self, params: &Params) -> Result<Value, MethodError> {
        let defaults = self.defaults()?;
        let id = params.session_id()?;
        let mut slot = self.slots.hold(&id).await;
        let agent = self.open(&id, defaults, &mut slot).await?;
        Ok(json!({ "cwd": agent.session().header().cwd }))
    }

    /// The agent of a session; an unknown session is created.
    async fn open(&self, id: &SessionId, defaults: Defaults, slot: &mut HeldSlot<'_>) -> Result<Arc<dyn Agent>, MethodError> {
        if slot.is_open() {
            return self.opened(id, slot);
        }
        let live = self.agents.get(id).is_some();
        let stored = match &self.persistence {
            Some(persistence) if !live => persistence.exists(id.clone()).await?,
            _ => false,
        };
        if live || stored {
            return Err(MethodError::Exists(id.clone()));
        }
        let agent = self
            .agents
            .create(CreateAgent {
                session_id: id.clone(),
                session: NewSession { cwd: Some(defaults.cwd), ..NewSession::default() },
                seed: None,
                options: defaults.options,
                signal: self.closing.clone(),
            })
            .await?;
        slot.set_open(true);
        Ok(agent)
    }

    /// The agent of a session that the server opened.
    fn opened(&self, id: &SessionId, slot: &mut HeldSlot<'_>) -> Result<Arc<dyn Agent>, MethodError> {
        self.agents.get(id).ok_or_else(|| {
            slot.set_open(false);
            MethodError::DisposedOutside(id.clone())
        })
    }
}
