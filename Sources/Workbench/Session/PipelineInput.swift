/// Whether a command stands behind something in its pipeline: `nothing` from there is a value, not the lack of an input.
enum PipelineInput {
    @TaskLocal static var isPiped = false
}
