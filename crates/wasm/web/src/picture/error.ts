/** A picture that cannot be used. Its message is a sentence or two for the visitor. */
export class PictureError extends Error {
  override name = "PictureError";
}
