//! The dialect `math`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Math/IR/MathOps.td`.

crate::ops::rows::operations! {
    Absf absf "math.absf"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Absi absi "math.absi"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    Acos acos "math.acos"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Acosh acosh "math.acosh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Asin asin "math.asin"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Asinh asinh "math.asinh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Atan atan "math.atan"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Atan2 atan2 "math.atan2"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Atanh atanh "math.atanh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Cbrt cbrt "math.cbrt"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Ceil ceil "math.ceil"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Clampf clampf "math.clampf"
        { value One min One max One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 value One 1 min One 2 max One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Copysign copysign "math.copysign"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Cos cos "math.cos"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Cosh cosh "math.cosh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Ctlz ctlz "math.ctlz"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    Ctpop ctpop "math.ctpop"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    Cttz cttz "math.cttz"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    Erf erf "math.erf"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Erfc erfc "math.erfc"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Exp exp "math.exp"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Exp2 exp2 "math.exp2"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Expm1 expm1 "math.expm1"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Floor floor "math.floor"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Fma fma "math.fma"
        { a One b One c One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 a One 1 b One 2 c One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Fpowi fpowi "math.fpowi"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Ipowi ipowi "math.ipowi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Isfinite isfinite "math.isfinite"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Isinf isinf "math.isinf"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Isnan isnan "math.isnan"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Isnormal isnormal "math.isnormal"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Log log "math.log"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Log10 log10 "math.log10"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Log1p log1p "math.log1p"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Log2 log2 "math.log2"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Powf powf "math.powf"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Round round "math.round"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Roundeven roundeven "math.roundeven"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Rsqrt rsqrt "math.rsqrt"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Sin sin "math.sin"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Sincos sincos "math.sincos"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 sin One 1 cos One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Sinh sinh "math.sinh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Sqrt sqrt "math.sqrt"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Tan tan "math.tan"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Tanh tanh "math.tanh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    Trunc trunc "math.trunc"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
}
