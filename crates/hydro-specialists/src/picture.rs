//! [`figure`]: a picture as the output of a tool: what it shows as a document beside it, the file, and its rendering.

use leg_core::{Artifact, Digest, Kind, Rendering, ToolContext, ToolOutput};
use ocean_chart::picture_size;
use serde_json::{Value, json};

use crate::ServiceError;

/// The member of a figure that names its file.
const PICTURE: &str = "picture";

/// A picture with what it shows. The outputs are `result`, the document, and `png`, the file.
pub(crate) fn figure(name: &str, mut content: Value, png: Vec<u8>) -> ToolOutput {
    let [width, height] = picture_size(&png).unwrap_or([0, 0]);
    let mut file = Artifact::file(format!("{name}.png"), "image/png", png.clone());
    if let Some(members) = content.as_object() {
        for (key, value) in
            members.iter().filter(|(key, _)| matches!(key.as_str(), "bounds" | "extent" | "attribution"))
        {
            file = file.with_attribute(key, value.clone());
        }
    }
    let digest = file.encode().map(|encoded| file.summary(&encoded).digest.to_string()).unwrap_or_default();
    content[PICTURE] =
        json!({ "artifact": digest, "media_type": "image/png", "width": width, "height": height });
    let mut output = ToolOutput::of(Artifact::document(Kind::Figure, name, content));
    output.artifacts.insert("png".to_owned(), file);
    output.renderings =
        vec![Rendering { name: format!("{name}.png"), media_type: "image/png".to_owned(), bytes: png }];
    output
}

/// The file of a picture and what is said of it: of a figure, or of the file itself.
///
/// # Errors
/// [`ServiceError`] when the artifact is no picture, or its file is not kept.
pub(crate) fn file_of(artifact: Artifact, context: &ToolContext) -> Result<(Artifact, Value), ServiceError> {
    let no_picture = |artifact: &Artifact| {
        ServiceError::BadArgument(format!(
            "`{}` is no picture; take the result of `osm_map` or `osm_satellite`",
            artifact.name
        ))
    };
    match artifact.kind {
        Kind::Figure => {
            let digest = artifact.content.pointer("/picture/artifact").and_then(Value::as_str);
            let digest: Option<Digest> = digest.and_then(|digest| digest.parse().ok());
            let file = context.artifact(&digest.ok_or_else(|| no_picture(&artifact))?)?;
            if file.kind != Kind::File {
                return Err(no_picture(&artifact));
            }
            Ok((file, artifact.content))
        }
        Kind::File => {
            let said = Value::Object(artifact.attributes.clone().into_iter().collect());
            Ok((artifact, said))
        }
        _ => Err(no_picture(&artifact)),
    }
}
