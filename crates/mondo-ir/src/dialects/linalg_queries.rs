//! `linalg`: queries about the kind of an operation, and about its loops.

use mondo_sys::{
    MlirOperation, mlirLinalgGetIndexingMapsAttribute, mlirLinalgInferContractionDimensions,
    mlirLinalgInferConvolutionDimensions, mlirLinalgIsAContractionOp, mlirLinalgIsAConvolutionOp,
};

use crate::declarations as c;
use crate::dialects::linalg::ContractionDimensions;
use crate::nodes::Op;
use crate::uniqued_handles::Attribute;

/// The loops of a convolution, each kind as an attribute with their numbers; and how far apart windows,
/// and elements of a window, are.
#[derive(Debug, Clone, Copy)]
pub struct ConvolutionDimensions<'ctx> {
    /// The loops over batches.
    pub batch: Attribute<'ctx>,
    /// The loops over places in the output's image.
    pub output_image: Attribute<'ctx>,
    /// The loops over channels of the output.
    pub output_channel: Attribute<'ctx>,
    /// The loops over elements of a window.
    pub filter_loop: Attribute<'ctx>,
    /// The loops over channels of the input, which are summed over.
    pub input_channel: Attribute<'ctx>,
    /// The loops over channels that input and output share.
    pub depth: Attribute<'ctx>,
    /// The distances of windows.
    pub strides: Attribute<'ctx>,
    /// The distances of elements of a window.
    pub dilations: Attribute<'ctx>,
}

/// The questions about an operation of any dialect. One that is not valid is nothing of all this: MLIR takes for
/// granted that it is, so that each question verifies it.
#[derive(Debug, Clone, Copy)]
pub struct Structure<'ctx>(Op<'ctx>);

impl<'ctx> Structure<'ctx> {
    /// The questions about an operation.
    pub fn of(op: Op<'ctx>) -> Self {
        Self(op)
    }

    fn valid(self) -> Option<MlirOperation> {
        c::mlirOperationVerify(self.0).then(|| self.0.raw())
    }

    /// Returns whether it is a contraction.
    pub fn is_contraction(self) -> bool {
        // SAFETY: the operation is live and valid.
        self.valid()
            .is_some_and(|op| unsafe { mlirLinalgIsAContractionOp(op) })
    }

    /// Returns whether it is a convolution.
    pub fn is_convolution(self) -> bool {
        // SAFETY: the operation is live and valid.
        self.valid()
            .is_some_and(|op| unsafe { mlirLinalgIsAConvolutionOp(op) })
    }

    /// The loops of a contraction; none for another operation.
    pub fn contraction(self) -> Option<ContractionDimensions<'ctx>> {
        // SAFETY: the operation is live and valid, and the attributes are of its context.
        unsafe {
            ContractionDimensions::of_raw(mlirLinalgInferContractionDimensions(self.valid()?))
        }
    }

    /// The loops of a convolution; none for another operation.
    pub fn convolution(self) -> Option<ConvolutionDimensions<'ctx>> {
        // SAFETY: the operation is live and valid, and the attributes are of its context; all are
        // there, or none.
        unsafe {
            let raw = mlirLinalgInferConvolutionDimensions(self.valid()?);
            Some(ConvolutionDimensions {
                batch: Attribute::from_raw(raw.batch)?,
                output_image: Attribute::from_raw(raw.outputImage)?,
                output_channel: Attribute::from_raw(raw.outputChannel)?,
                filter_loop: Attribute::from_raw(raw.filterLoop)?,
                input_channel: Attribute::from_raw(raw.inputChannel)?,
                depth: Attribute::from_raw(raw.depth)?,
                strides: Attribute::from_raw(raw.strides)?,
                dilations: Attribute::from_raw(raw.dilations)?,
            })
        }
    }

    /// The maps of an operation of this dialect; none for another one.
    pub fn indexing_maps(self) -> Option<Attribute<'ctx>> {
        // SAFETY: the operation is live and valid, and the attribute is of its context.
        unsafe { Attribute::from_raw(mlirLinalgGetIndexingMapsAttribute(self.valid()?)) }
    }
}
