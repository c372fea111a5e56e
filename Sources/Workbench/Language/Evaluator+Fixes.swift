import PluginKit

extension Evaluator {
    /// A comparison whose errors name the field that a fix converts.
    static func naming(_ name: String, in computation: @escaping Computation) -> Computation {
        { row, watch in
            do { return try computation(row, watch) } catch var error as RutterError
                where error.code == LanguageErrors.type.code
            {
                error.fix = error.fix?.replacing("(x", with: "(\(reference(to: name))")
                throw error
            }
        }
    }
}
