import PluginKit

/// The output of an entry for a command that writes as it goes: `to csv` at the end of a pipeline into a pipe or file shows its
/// first row before the last is computed.
struct DirectOutput: Sendable {
    /// Where the last command of the pipeline may write; `nil` where its value is needed.
    @TaskLocal static var current: DirectOutput?

    /// Passes text on with its line ends.
    let write: @Sendable (String) -> Void
}
