//! The dialect `math`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Math/IR/MathOps.td`.

crate::ops::rows::operations! {
    #[doc = "`math.absf`: floating point absolute-value operation."]
    Absf absf "math.absf"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.absi`: integer absolute-value operation."]
    Absi absi "math.absi"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    #[doc = "`math.acos`: arcus cosine of the specified value."]
    Acos acos "math.acos"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.acosh`: Hyperbolic arcus cosine of the given value."]
    Acosh acosh "math.acosh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.asin`: arcus sine of the given value."]
    Asin asin "math.asin"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.asinh`: hyperbolic arcus sine of the given value."]
    Asinh asinh "math.asinh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.atan`: arcus tangent of the given value."]
    Atan atan "math.atan"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.atan2`: 2-argument arcus tangent of the given values."]
    Atan2 atan2 "math.atan2"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.atanh`: hyperbolic arcus tangent of the given value."]
    Atanh atanh "math.atanh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.cbrt`: cube root of the specified value."]
    Cbrt cbrt "math.cbrt"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.ceil`: ceiling of the specified value."]
    Ceil ceil "math.ceil"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.clampf`: floating point clamping operation."]
    Clampf clampf "math.clampf"
        { value One min One max One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 value One 1 min One 2 max One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.copysign`: A copysign operation."]
    Copysign copysign "math.copysign"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.cos`: cosine of the specified value."]
    Cos cos "math.cos"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.cosh`: hyperbolic cosine of the specified value."]
    Cosh cosh "math.cosh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.ctlz`: counts the leading zeros an integer value."]
    Ctlz ctlz "math.ctlz"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    #[doc = "`math.ctpop`: counts the number of set bits of an integer value."]
    Ctpop ctpop "math.ctpop"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    #[doc = "`math.cttz`: counts the trailing zeros an integer value."]
    Cttz cttz "math.cttz"
        { operand One }
        {}
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        []
    #[doc = "`math.erf`: error function of the specified value."]
    Erf erf "math.erf"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.erfc`: complementary error function of the specified value."]
    Erfc erfc "math.erfc"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.exp`: base-e exponential of the specified value."]
    Exp exp "math.exp"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.exp2`: base-2 exponential of the specified value."]
    Exp2 exp2 "math.exp2"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.expm1`: base-e exponential of the specified value minus 1."]
    Expm1 expm1 "math.expm1"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.floor`: floor of the specified value."]
    Floor floor "math.floor"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.fma`: floating point fused multipy-add operation."]
    Fma fma "math.fma"
        { a One b One c One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 a One 1 b One 2 c One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.fpowi`: floating point raised to the signed integer power."]
    Fpowi fpowi "math.fpowi"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.ipowi`: signed integer raised to the power of operation."]
    Ipowi ipowi "math.ipowi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`math.isfinite`: returns true if the operand classifies as finite."]
    Isfinite isfinite "math.isfinite"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.isinf`: returns true if the operand classifies as infinite."]
    Isinf isinf "math.isinf"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.isnan`: returns true if the operand classifies as NaN."]
    Isnan isnan "math.isnan"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.isnormal`: returns true if the operand classifies as normal."]
    Isnormal isnormal "math.isnormal"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.log`: base-e logarithm of the specified value."]
    Log log "math.log"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.log10`: base-10 logarithm of the specified value."]
    Log10 log10 "math.log10"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.log1p`: Computes the natural logarithm of one plus the given value."]
    Log1p log1p "math.log1p"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.log2`: base-2 logarithm of the specified value."]
    Log2 log2 "math.log2"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.powf`: floating point raised to the power of operation."]
    Powf powf "math.powf"
        { lhs One rhs One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.round`: round of the specified value."]
    Round round "math.round"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.roundeven`: round of the specified value with halfway cases to even."]
    Roundeven roundeven "math.roundeven"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.rsqrt`: reciprocal of sqrt (1 / sqrt of the specified value)."]
    Rsqrt rsqrt "math.rsqrt"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.sin`: sine of the specified value."]
    Sin sin "math.sin"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.sincos`: sine and cosine of the specified value."]
    Sincos sincos "math.sincos"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 sin One 1 cos One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.sinh`: hyperbolic sine of the specified value."]
    Sinh sinh "math.sinh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.sqrt`: sqrt of the specified value."]
    Sqrt sqrt "math.sqrt"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.tan`: tangent of the specified value."]
    Tan tan "math.tan"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.tanh`: hyperbolic tangent of the specified value."]
    Tanh tanh "math.tanh"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    #[doc = "`math.trunc`: trunc of the specified value."]
    Trunc trunc "math.trunc"
        { operand One }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" crate::ops::arith::FastMathFlags,]
}
