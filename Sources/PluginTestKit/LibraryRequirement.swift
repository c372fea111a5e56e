import Core
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips tests where a library is not installed, as the program does without it.
    public static func needs(_ library: NativeLibrary) -> ConditionTrait {
        .enabled(if: library.isAvailable, "\(library.feature) needs \(library.packages)")
    }
}
