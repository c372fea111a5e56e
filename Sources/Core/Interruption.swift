/// Whether the person who started the current task has asked to stop it.
public enum Interruption {
    /// Throws `E-INTERRUPTED` when the current task was cancelled. Cheap enough for inner loops.
    public static func check() throws(RutterError) {
        if Task.isCancelled { throw stopped }
    }

    /// The error of work that was stopped.
    public static var stopped: RutterError { CommonErrors.interrupted("stopped") }
}
