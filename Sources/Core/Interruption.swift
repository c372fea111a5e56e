/// Whether the current task was interrupted by the user.
public enum Interruption {
    /// Throws `E-INTERRUPTED` when the current task was cancelled. Cheap enough for inner loops.
    public static func check() throws(RutterError) {
        if Task.isCancelled { throw stopped }
    }

    /// The error of interrupted work.
    public static var stopped: RutterError { CommonErrors.interrupted("stopped") }
}
