//! `leg services serve`

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use leg::fetch::{FaultSpec, Server};
use leg::hydro_specialists::recorded::Recorded;
use serde_json::json;

use crate::args::{ServeArguments, ServicesAction};
use crate::output::{DONE, Ending, Failure, print, print_json, talk};
use crate::session::Session;

pub(crate) async fn services(session: &Session, action: ServicesAction) -> Ending {
    match action {
        ServicesAction::Serve(own) => serve(session, &own).await,
    }
}

async fn serve(session: &Session, arguments: &ServeArguments) -> Ending {
    let recorded = Recorded::open(&arguments.fixtures).map_err(Failure::wrong)?;
    let mut server = Server::builder();
    if let Some(faults) = &arguments.faults {
        server = server.faults(faults.parse::<FaultSpec>().map_err(Failure::wrong)?);
    }
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let server = server.start(address, Arc::new(recorded)).await.map_err(|error| {
        Failure::wrong(format!(
            "port {} cannot be served: {error}; name another with `--port`",
            arguments.port
        ))
    })?;
    if session.json {
        print_json(&json!({ "address": server.url().to_string() }));
    } else {
        print(&server.url().to_string());
    }
    talk("serving until it is stopped; give this address to `--services`");
    // Without a terminal to stop it, it serves until it is killed.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
    talk(&format!("{} requests were answered", server.log().len()));
    Ok(DONE)
}
