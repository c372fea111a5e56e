/// Timeouts that the manifest cannot set.
struct ForeignTimeouts: Sendable {
    /// To start and to declare its commands; a longer `timeout` of the manifest applies to this, too.
    var start = Duration.seconds(5)
    /// To send candidates of completion.
    var completion = Duration.milliseconds(300)
    /// To end a call that was cancelled.
    var cancelGrace = Duration.seconds(2)
    /// To end by itself.
    var shutdownGrace = Duration.seconds(1)
}
