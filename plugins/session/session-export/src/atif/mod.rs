//! Trajectories in the Agent Trajectory Interchange Format.

mod form;
mod making;
mod steps;

pub(crate) use making::{Maker, trajectory};
pub(crate) use steps::Steps;
