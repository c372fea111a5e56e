import Core
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips tests that require a library that is not installed.
    public static func needs(_ library: NativeLibrary) -> ConditionTrait {
        .enabled(if: library.isAvailable, "\(library.feature) needs \(library.packages)")
    }
}
