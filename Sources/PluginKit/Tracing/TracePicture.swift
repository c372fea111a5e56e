/// Draws what an algorithm knows at a step of its trace, such as the frontier of a search.
///
/// An algorithm's command hands it to the collector together with the steps.
public protocol TracePicturing: Sendable {
    /// The state after the last of these steps, as something that `map` or `plot` can draw.
    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject
}
