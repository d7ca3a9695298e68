/** An error about an unusable picture; the message is one or two sentences for the visitor. */
export class PictureError extends Error {
  override name = "PictureError";
}
