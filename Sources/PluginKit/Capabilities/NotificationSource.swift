/// Tells what happened elsewhere since it was last asked, such as a change that another program made. A prompt asks while
/// it waits for the next entry, a few times a second; notebooks and scripts never do.
public protocol NotificationSource: Capability {
    /// What there is to say, a line each; answers at once or not at all.
    func notices(context: Context) async -> [String]
}
