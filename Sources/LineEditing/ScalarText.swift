/// Text in libedit's form: an array of Unicode scalars.
typealias Scalars = [UInt32]

extension String {
    /// The scalars, as libedit counts them.
    var scalarValues: Scalars { unicodeScalars.map(\.value) }

    /// The scalars with a terminating zero. Zeros within the text are dropped.
    var terminatedScalars: Scalars { unicodeScalars.map(\.value).filter { $0 != 0 } + [0] }

    /// Text of scalars; invalid values become U+FFFD.
    init(scalars: some Sequence<UInt32>) {
        var view = String.UnicodeScalarView()
        for value in scalars { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
        self = String(view)
    }
}
