//! A program with an agent inside: `mender FOLDER [SECONDS]` reads a task from its standard input and has the agent do it in the folder.

use std::error::Error;
use std::time::Duration;

use dsh_agent_demo::embed::{Host, Said};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = std::path::absolute(words.next().ok_or("usage: mender FOLDER [SECONDS]")?)?;
    let limit = words.next().map_or(Ok(300), |seconds| seconds.parse())?;
    let mut task = String::new();
    std::io::stdin().read_line(&mut task)?;

    // Mounts the agent on a thread of its own. It sees these variables and this folder, whatever the program does later.
    let agent = dsh_agent_demo::start(Host::of_process().within(&folder).with("DSH_SESSION_ROOT", folder.join(".sessions")))?;

    // The words are those of the command line.
    let mut run = agent.call(["run", "--json", "--", task.trim()])?;

    // A call can be cancelled from anywhere; here it is once its time is over.
    let cancellation = run.cancellation();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(limit));
        cancellation.cancel();
    });

    // Events while they happen, the answer as the last of them.
    while let Some(said) = run.said_blocking() {
        let Said::Output(line) = said else { continue };
        let record: serde_json::Value = serde_json::from_str(&line)?;
        match record["type"].as_str() {
            Some("tool_call") => println!("the agent uses {}", record["tool"]),
            Some("tool_result") => println!("it has {}", record["status"]),
            Some("final") => println!("answer: {}", record["text"]),
            Some("error") => println!("problem: {}", record["message"]),
            _ => {}
        }
    }
    println!("exit status: {}", run.exit_blocking().0);

    // Undoes every row and ends what the agent started.
    let report = agent.end();
    println!("rows that did not end in order: {}", report.failed.len());
    Ok(())
}
