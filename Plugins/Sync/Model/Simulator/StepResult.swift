/// What a step of a schedule did.
struct StepResult: ExpressibleByStringInterpolation {
    /// What happened; empty if the step was impossible.
    let text: String
    /// The device that it happened to; `nil` for that of the step.
    let device: Int?

    init(_ text: String, device: Int? = nil) {
        self.text = text
        self.device = device
    }

    init(stringLiteral text: String) { self.init(text) }
}
