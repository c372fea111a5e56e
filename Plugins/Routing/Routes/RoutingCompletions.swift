import PluginKit

/// The names of the regions, for completion.
struct RegionCompletions: CompletionSource {
    static let completion = ParameterSpec.Completion.known("region")

    let kind = "region"
    let regions: RegionChoice

    func words(context: Context) -> [ParameterKind.Choice] {
        regions.accompanying(context)?.names.map { ParameterKind.Choice($0, "region") } ?? []
    }
}

/// The names of the cost profiles, for completion.
struct ProfileCompletions: CompletionSource {
    static let completion = ParameterSpec.Completion.known("cost profile")

    let kind = "cost profile"

    func words(context: Context) -> [ParameterKind.Choice] {
        CostProfiles.all.map { ParameterKind.Choice($0.name, $0.mode.rawValue) }
    }
}
