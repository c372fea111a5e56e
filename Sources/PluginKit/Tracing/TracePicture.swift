/// Draws an algorithm's state at a step of its trace, such as the frontier of a search.
///
/// An algorithm's command passes it to the collector together with the steps.
public protocol TracePicturing: Sendable {
    /// The state after the last of these steps, as a value that `map` or `plot` can draw.
    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject
}
