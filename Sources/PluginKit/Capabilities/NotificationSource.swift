/// Reports external events since the last call, such as a change made by another program. The prompt polls a
/// few times a second while it waits for input; notebooks and scripts never do.
public protocol NotificationSource: Capability {
    /// The new messages, one line each; must not block.
    func notices(context: Context) async -> [String]
}
